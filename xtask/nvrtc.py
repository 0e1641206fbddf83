"""Compiles one CUDA C++ file to PTX with NVRTC, which needs no GPU, and prints it.

    python nvrtc.py FILE OPTION...

Runs in an environment that has the wheel of NVRTC; the compiler's own messages go to standard error.
"""

import ctypes
import pathlib
import sys

import nvidia.cuda_nvrtc


def library():
    """NVRTC, from its wheel."""
    folder = pathlib.Path(nvidia.cuda_nvrtc.__path__[0]) / "lib"
    return ctypes.CDLL(str(next(folder.glob("libnvrtc.so.*"))))


def text(size_of, get, program):
    """What NVRTC has to say, by the pair of functions that give its size and itself."""
    size = ctypes.c_size_t()
    size_of(program, ctypes.byref(size))
    buffer = ctypes.create_string_buffer(size.value)
    get(program, buffer)
    return buffer.value.decode()


def main():
    file, options = pathlib.Path(sys.argv[1]), [option.encode() for option in sys.argv[2:]]
    nvrtc, program = library(), ctypes.c_void_p()
    source, name = file.read_bytes(), file.name.encode()
    if nvrtc.nvrtcCreateProgram(ctypes.byref(program), source, name, 0, None, None) != 0:
        sys.exit(f"{file}: NVRTC does not start")
    failed = nvrtc.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options)) != 0
    print(text(nvrtc.nvrtcGetProgramLogSize, nvrtc.nvrtcGetProgramLog, program), end="", file=sys.stderr)
    if failed:
        sys.exit(f"{file}: does not compile")
    sys.stdout.write(text(nvrtc.nvrtcGetPTXSize, nvrtc.nvrtcGetPTX, program))


if __name__ == "__main__":
    main()
