import type { Request } from '../compare.ts'
import type { Program } from '../program.ts'

/** In this order: lists come before the creates that lengthen them. */
export const OPERATIONS = ['read', 'list', 'create', 'upload', 'receive'] as const
export type Operation = (typeof OPERATIONS)[number]

export interface Peer {
  name: string
  version: string
  program: Program
  /** Each connection is a caller with its own credentials. */
  requests: Record<Operation, (caller: number) => Request>
}

export const PROJECTS = 1000

/** `#` becomes a new id per request. */
export const PROJECT = {
  name: 'Launch plan #',
  description: 'Everything that has to happen before the launch in autumn, in the order of its deadlines.',
}
export const EVENT = JSON.stringify({
  id: '#',
  type: 'order.paid',
  amount: 5,
  items: ['one', 'two', 'three'],
})

/** 1 MB, different in every request, with a type that no product converts or reads. */
export const FILE = `RIFF\0\0\0\0WAVEfmt #${'Content of a benchmark file.   '.repeat(33_826)}`.slice(
  0,
  1_048_576,
)
export const FILE_TYPE = 'audio/wav'

const BOUNDARY = 'cut-here'

/** As a form, which Atrium and Directus accept. */
export const FORM = {
  body: [
    `--${BOUNDARY}`,
    'Content-Disposition: form-data; name="file"; filename="bench-#.wav"',
    `Content-Type: ${FILE_TYPE}`,
    '',
    FILE,
    `--${BOUNDARY}--`,
    '',
  ].join('\r\n'),
  headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
}
