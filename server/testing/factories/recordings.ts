const RATE = 8000

/** Silence in one channel, with one byte per sample. */
export function wav(seconds: number): Buffer<ArrayBuffer> {
  const samples = Math.round(seconds * RATE)
  const bytes = Buffer.alloc(44 + samples, 0x80)
  bytes.write('RIFF', 0, 'latin1')
  bytes.writeUInt32LE(36 + samples, 4)
  bytes.write('WAVEfmt ', 8, 'latin1')
  bytes.writeUInt32LE(16, 16)
  bytes.writeUInt16LE(1, 20)
  bytes.writeUInt16LE(1, 22)
  bytes.writeUInt32LE(RATE, 24)
  bytes.writeUInt32LE(RATE, 28)
  bytes.writeUInt16LE(1, 32)
  bytes.writeUInt16LE(8, 34)
  bytes.write('data', 36, 'latin1')
  bytes.writeUInt32LE(samples, 40)
  return bytes
}
