/** Deletions above these limits require a typed phrase. */
const FILES_MAX = 20
const BYTES_MAX = 104_857_600

export const isLarge = ({ files, bytes }: { files: number; bytes: number }) =>
  files > FILES_MAX || bytes > BYTES_MAX
