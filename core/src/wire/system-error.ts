const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'the system does not permit it',
  ENOENT: 'no such file or folder',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'it is a folder',
  EEXIST: 'it exists',
  ENOTEMPTY: 'the folder is not empty',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'its symbolic links go round in a circle',
  EMFILE: 'too many files are open',
  EIO: 'the disk cannot be read or written',
};

/** The code of a system error in words, with the code: `permission denied, EACCES`. */
export function systemReason(code: string): string {
  const words = REASONS[code];
  return words === undefined ? code : `${words}, ${code}`;
}

const DISK_REMEDIES: Readonly<Record<string, string>> = {
  EROFS: 'Mount its file system writable',
  ENOSPC: 'Free space on its disk',
  EDQUOT: 'Free space on its disk or raise its quota',
};

/** What to do about a disk that takes no writes, for the code of a system error; undefined for others. */
export function diskRemedy(code: string | undefined): string | undefined {
  return code === undefined ? undefined : DISK_REMEDIES[code];
}

/** The error code of a system error (`ENOENT`) or of a network library, wherever in the chain of causes it sits. */
export function systemCode(thrown: unknown): string | undefined {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if ('code' in error && typeof error.code === 'string') return error.code;
    // Node tries every address of a name and reports them together.
    if (error instanceof AggregateError) return systemCode(error.errors[0]);
  }
  return undefined;
}

const UNCONNECTED: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at its port',
  ENOTFOUND: 'its host name is unknown',
  EAI_AGAIN: 'its host name could not be looked up',
  EHOSTUNREACH: 'its host is unreachable',
  ENETUNREACH: 'its network is unreachable',
  ETIMEDOUT: 'it does not accept the connection',
  UND_ERR_CONNECT_TIMEOUT: 'it does not accept the connection',
};
const CERTIFICATE = /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_/;

/** Whether the code of a failed connection says that the certificate of the server is not accepted. */
export function isCertificateFault(code: string): boolean {
  return CERTIFICATE.test(code);
}

/** The reason that a server was not reached, for the code of a failure before anything was sent; undefined for others. */
export function unconnectedReason(code: string): string | undefined {
  return UNCONNECTED[code] ?? (isCertificateFault(code) ? 'its TLS certificate is invalid' : undefined);
}
