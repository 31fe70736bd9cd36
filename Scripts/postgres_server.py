"""A server of PostgreSQL for checks, in a folder of its own."""

import glob
import os
import random
import shutil
import subprocess


def programs():
    """The folder with the programs of PostgreSQL; none if they are not installed."""
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
    return found[-1] if found else os.path.dirname(shutil.which("initdb") or "")


class PostgresServer:
    def __init__(self, folder):
        self.data, self.port = f"{folder}/data", random.randrange(20_000, 32_000)
        os.chmod(folder, 0o777)
        self.run("initdb", "-D", self.data, "-A", "trust", "-U", "flask", "-E", "UTF8", "--locale=C")
        self.run("pg_ctl", "-D", self.data, "-o", f"-p {self.port} -k {folder}", "-l", f"{folder}/log", "-w", "start")
        self.url = f"postgresql://flask@127.0.0.1:{self.port}/postgres"

    def run(self, program, *arguments):
        """The output of a program of PostgreSQL. It refuses to run as root."""
        user = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        # The server that pg_ctl leaves behind keeps what it has of its output open.
        output = subprocess.DEVNULL if program == "pg_ctl" else subprocess.PIPE
        command = [*user, f"{programs()}/{program}", *arguments]
        return subprocess.run(command, check=True, stdout=output, text=True, cwd="/tmp").stdout

    def client(self, program, *arguments):
        return self.run(program, "-h", "127.0.0.1", "-p", str(self.port), "-U", "flask", *arguments)

    def stop(self):
        self.run("pg_ctl", "-D", self.data, "-m", "immediate", "stop")
