import { getSystemErrorName } from 'node:util';

/** As Node’s promises of the file system reject: what libuv has no name for, such as EDQUOT, is an "Unknown system error". */
export function systemError(errno: number, syscall = 'write'): NodeJS.ErrnoException {
  const code = getSystemErrorName(-errno);
  return Object.assign(new Error(`${code}: ${code}, ${syscall}`), { code, errno: -errno, syscall });
}
