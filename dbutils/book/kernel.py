"""The kernel of the notebooks that this project runs: this Python, whatever kernels and settings a user has.

No start-up files, settings or history of the user's IPython, so a notebook computes the same for everyone; and what
it reads is written down (`dbutils.book.uses`).
"""

import os
import sys

from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager


class Manager(AsyncKernelManager):
    """Starts this kernel, whatever the notebook names."""

    @property
    def kernel_spec(self):
        argv = [sys.executable, "-m", "dbutils.book.kernel", "-f", "{connection_file}"]
        return KernelSpec(argv=argv, display_name="Python 3", language="python")


def main():
    """Be the kernel until it is asked to end."""
    from dbutils.book import uses

    if os.environ.get(uses.LOG):
        uses.watch(os.environ[uses.LOG])
    if sys.path[0] in ("", os.getcwd()):
        del sys.path[0]  # IPython puts it back as the folder of the day
    from ipykernel.kernelapp import IPKernelApp

    class PlainKernel(IPKernelApp):
        def load_config_file(self, *arguments, **options):
            """Nothing is read."""

    kernel = PlainKernel.instance()
    kernel.exec_PYTHONSTARTUP = False
    kernel.config.HistoryManager.enabled = False
    kernel.initialize()
    kernel.start()


if __name__ == "__main__":
    main()
