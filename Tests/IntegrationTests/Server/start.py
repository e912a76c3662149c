"""Creates the server's virtual environment if it is missing, and then becomes the server.

Usage: python3 start.py CACHE_FOLDER [PORT]. Needs only the standard library. Prints one line: the line
of `server.py` when it listens, or `ERROR: ` and a sentence about what is missing.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
REQUIREMENTS = os.path.join(HERE, "requirements.txt")


def fail(sentence):
    print("ERROR: " + " ".join(sentence.split()), flush=True)
    sys.exit(1)


def make_environment(folder):
    shutil.rmtree(folder, ignore_errors=True)
    steps = [
        (
            [sys.executable, "-m", "venv", folder],
            "Python cannot make a virtual environment (is python3-venv installed?)",
        ),
        (
            [
                os.path.join(folder, "bin", "python"), "-m", "pip", "install", "--quiet",
                "--disable-pip-version-check", "--no-deps", "-r", REQUIREMENTS,
            ],
            "pip cannot install Tests/IntegrationTests/Server/requirements.txt (is there a network?)",
        ),
    ]
    for command, sentence in steps:
        step = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        if step.returncode != 0:
            shutil.rmtree(folder, ignore_errors=True)
            fail(sentence + ": " + step.stderr.decode("utf-8", "replace")[-300:])


def environment(cache):
    """Returns the folder of a complete environment, which is named after its contents."""
    with open(REQUIREMENTS, "rb") as file:
        contents = file.read() + sys.version.encode() + sys.executable.encode()
    folder = os.path.join(cache, "python-" + hashlib.sha256(contents).hexdigest()[:16])
    done = os.path.join(folder, "complete")
    os.makedirs(cache, exist_ok=True)
    # Test processes may start together: the first one creates the environment, the others wait.
    with open(folder + ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not os.path.exists(done):
            make_environment(folder)
            open(done, "w").close()
    return folder


def main():
    if sys.version_info < (3, 10):
        fail("Python 3.10 or later is needed, this is " + sys.version.split()[0] + ".")
    try:
        folder = environment(sys.argv[1])
    except OSError as error:
        fail("The virtual environment cannot be made: " + str(error))
    python = os.path.join(folder, "bin", "python")
    os.execv(python, [python, "-B", os.path.join(HERE, "server.py")] + sys.argv[2:])


main()
