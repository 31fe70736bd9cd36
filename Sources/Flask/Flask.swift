// Flask
