import { isIP } from 'node:net'
import { z } from 'zod'

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

/** CIDR notation; a single IP address becomes a network of one. */
export const toCidr = (value: string) =>
  value.includes('/') ? value : `${value}/${isIP(value) === 4 ? 32 : 128}`
