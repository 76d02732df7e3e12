import { isIP } from 'node:net'
import { z } from 'zod'

export const optionalText = z.string().optional()

/** Without trailing slashes. May be local: only the operator sets it. */
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

const MESSAGE = 'must be a list of IP addresses or networks, such as 10.0.0.0/8, 192.168.1.4'

export const networkList = () =>
  z
    .string()
    .transform((value) => value.split(/[\s,]+/).filter(Boolean))
    .refine((list) => list.every(isNetwork), MESSAGE)
    .default([])

function isNetwork(value: string): boolean {
  const [address = '', bits, ...rest] = value.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}

/** A single IP address becomes a network of one. */
export const toCidr = (value: string) =>
  value.includes('/') ? value : `${value}/${isIP(value) === 4 ? 32 : 128}`
