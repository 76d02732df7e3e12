/** For `bit varying`: whether each number is above zero. */
export const toCode = (vector: Float32Array): string => {
  let code = ''
  for (const value of vector) code += value > 0 ? '1' : '0'
  return code
}

const INT8_MAX = 127

/** A byte per number. The length doesn't matter: similarity compares directions. */
export function toBytes(vector: Float32Array): Buffer {
  let largest = 0
  for (const value of vector) largest = Math.max(largest, Math.abs(value))
  const scale = largest > 0 ? INT8_MAX / largest : 0
  return Buffer.from(Int8Array.from(vector, (value) => Math.round(value * scale)).buffer)
}

/** Cosine, from -1 to 1. */
export function similarity(question: Float32Array, bytes: Uint8Array): number {
  const numbers = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let [product, left, right] = [0, 0, 0]
  for (const [index, value] of question.entries()) {
    const other = numbers[index]!
    product += value * other
    left += value * value
    right += other * other
  }
  return left > 0 && right > 0 ? product / Math.sqrt(left * right) : 0
}

export const WRONG_RESPONSE = 'The provider’s response has no usable embeddings'

/** A vector without a direction, or with a number that none is, can't be compared. */
export const isUsable = (vector: Float32Array): boolean =>
  vector.every((value) => Number.isFinite(value)) && vector.some((value) => value !== 0)
