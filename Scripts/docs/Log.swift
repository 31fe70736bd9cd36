nonisolated func log(_ values: Any...) {}
