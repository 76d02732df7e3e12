/** What speech models use. More only takes longer to send. */
const RATE = 16_000
const HEAD_BYTES = 44

/** 16 bits, one channel. */
export function encodeWav(chunks: readonly Float32Array[], rate: number): ArrayBuffer {
  const samples = resample(chunks, rate)
  const bytes = new ArrayBuffer(HEAD_BYTES + samples.length * 2)
  const view = new DataView(bytes)
  const write = (at: number, text: string) => {
    for (let index = 0; index < text.length; index += 1) view.setUint8(at + index, text.charCodeAt(index))
  }
  write(0, 'RIFF')
  view.setUint32(4, HEAD_BYTES - 8 + samples.length * 2, true)
  write(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, RATE, true)
  view.setUint32(28, RATE * 2, true)
  view.setUint16(32, 2, true)
  view.setUint16(34, 16, true)
  write(36, 'data')
  view.setUint32(40, samples.length * 2, true)
  for (const [index, sample] of samples.entries())
    view.setInt16(HEAD_BYTES + index * 2, Math.max(-1, Math.min(1, sample)) * 0x7fff, true)
  return bytes
}

/** Averages, which removes what a lower rate can't hold. */
function resample(chunks: readonly Float32Array[], rate: number): Float32Array {
  const all = new Float32Array(chunks.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.length
  }
  const step = rate / RATE
  return Float32Array.from({ length: Math.floor(all.length / step) }, (_, index) => {
    const part = all.subarray(
      Math.floor(index * step),
      Math.max(Math.floor((index + 1) * step), Math.floor(index * step) + 1),
    )
    return part.reduce((sum, sample) => sum + sample, 0) / part.length
  })
}
