"""The servers that the bench starts: the tests' own. No other module of the bench imports from tests/."""

from support.servers.in_process import InProcessService, OwnCalls, in_process, own_calls
from support.servers.ports import free_port
from support.servers.postgres import PostgresServer
from support.servers.seaweedfs import ACCESS_KEY, BUCKET, SECRET_KEY, SeaweedFs
from support.servers.stacks import UNLIMITED
from support.servers.stowboard import PROGRAM, Launch, Process, Server, launch_program
from support.servers.valkey import ValkeyServer

__all__ = [
    "ACCESS_KEY",
    "BUCKET",
    "PROGRAM",
    "SECRET_KEY",
    "UNLIMITED",
    "InProcessService",
    "Launch",
    "OwnCalls",
    "PostgresServer",
    "Process",
    "SeaweedFs",
    "Server",
    "ValkeyServer",
    "free_port",
    "in_process",
    "launch_program",
    "own_calls",
]
