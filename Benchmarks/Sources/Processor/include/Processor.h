#ifndef PROCESSOR_H
#define PROCESSOR_H

/// Keeps the running thread, and those it starts from here on, on one core, the same each time. Does nothing where the
/// system has no such call.
void processor_pin(void);

/// Lets the running thread, and those it starts from here on, use every core that the process was given.
void processor_release(void);

/// The time that the running thread has been running so far, in nanoseconds; 0 where the system can't tell.
double processor_thread_nanoseconds(void);

/// The time that all threads of the process have been running so far, in nanoseconds; 0 where the system can't tell.
double processor_process_nanoseconds(void);

#endif
