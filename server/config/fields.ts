import { z } from 'zod'

export const optionalText = z.string().optional()

/** A base URL without trailing slashes. May be local: only the operator sets it. */
export const optionalBaseUrl = z
  .string()
  .refine((value) => /^https?:\/\//.test(value) && URL.canParse(value), {
    error: 'must be a URL that begins with https:// or http://',
    abort: true,
  })
  .transform((value) => value.replace(/\/+$/, ''))
  .optional()

export const url = (...protocols: string[]) =>
  z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), {
    error: `must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    abort: true,
  })

export const oneOf = <const V extends [string, ...string[]]>(...values: V) =>
  z.enum(values, { error: `must be ${values.slice(0, -1).join(', ')} or ${values.at(-1)}` })
