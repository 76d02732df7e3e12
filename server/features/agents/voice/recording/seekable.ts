import type { FileHandle } from 'node:fs/promises'

export interface Seekable {
  size: number
  /** Fewer bytes at the end. Valid until the next call. */
  read: (start: number, length: number) => Promise<Buffer>
}

const WINDOW_BYTES = 65_536

/** Formats consist of many small elements, so it reads ahead. */
export function seekable(file: Pick<FileHandle, 'read'>, size: number): Seekable {
  let windowStart = 0
  let window = Buffer.alloc(0)
  return {
    size,
    async read(start, length) {
      const end = Math.min(start + length, size)
      if (start >= end) return Buffer.alloc(0)
      if (start < windowStart || end > windowStart + window.length) {
        const wanted = Math.min(Math.max(length, WINDOW_BYTES), size - start)
        const { buffer, bytesRead } = await file.read(Buffer.allocUnsafeSlow(wanted), 0, wanted, start)
        window = buffer.subarray(0, bytesRead)
        windowStart = start
      }
      return window.subarray(start - windowStart, end - windowStart)
    },
  }
}

export const seekableBytes = (bytes: Buffer): Seekable => ({
  size: bytes.length,
  read: async (start, length) => bytes.subarray(start, start + length),
})
