import { dictionary } from '../../../../contract/dictionary.ts'

/** A file of named tables of numbers, as its own format describes it: the length of a JSON header, the header, the data. */
const HEADER_BYTES_MAX = 16_777_216
const LENGTH_BYTES = 8

interface Entry {
  dtype: string
  shape: number[]
  data_offsets: [number, number]
}

export interface Tensor {
  shape: number[]
  values: Float32Array
}

export function readTensors(file: Buffer): Map<string, () => Tensor> {
  const length = Number(file.readBigUInt64LE(0))
  if (length > HEADER_BYTES_MAX || LENGTH_BYTES + length > file.length) throw new Error('has no header')
  const start = LENGTH_BYTES + length
  const header = JSON.parse(file.toString('utf8', LENGTH_BYTES, start)) as Record<string, Entry>
  return new Map(
    Object.entries(header)
      .filter(([name]) => name !== '__metadata__')
      .map(([name, entry]) => [name, () => readTensor(file, start, entry)]),
  )
}

function readTensor(file: Buffer, start: number, { dtype, shape, data_offsets: [from, to] }: Entry): Tensor {
  const type = TYPES[dtype]
  if (!type) throw new Error(`has numbers of the type ${dtype}, which aren’t supported`)
  const count = shape.reduce((product, size) => product * size, 1)
  if (to - from !== count * type.bytes || start + to > file.length) throw new Error('is incomplete')
  const data = new DataView(file.buffer, file.byteOffset + start + from, to - from)
  const values = new Float32Array(count)
  for (let index = 0; index < count; index++) values[index] = type.read(data, index * type.bytes)
  return { shape, values }
}

const TYPES: Record<string, { bytes: number; read: (data: DataView, at: number) => number }> = dictionary({
  F64: { bytes: 8, read: (data, at) => data.getFloat64(at, true) },
  F32: { bytes: 4, read: (data, at) => data.getFloat32(at, true) },
  F16: { bytes: 2, read: (data, at) => halfToNumber(data.getUint16(at, true)) },
  I8: { bytes: 1, read: (data, at) => data.getInt8(at) },
  I32: { bytes: 4, read: (data, at) => data.getInt32(at, true) },
  I64: { bytes: 8, read: (data, at) => Number(data.getBigInt64(at, true)) },
})

/** IEEE 754 half precision. Infinity and NaN aren't numbers of a model. */
function halfToNumber(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >> 10) & 0x1f
  const fraction = bits & 0x3ff
  if (exponent === 0) return sign * fraction * 2 ** -24
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15)
}
