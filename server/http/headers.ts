import type { FastifyReply, FastifyRequest } from 'fastify'

const COMMON = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
}
/** What is not a page may load and do nothing, should a browser ever show it. */
const INERT = "default-src 'none'; frame-ancestors 'none'; sandbox"
const HSTS = 'max-age=31536000'

const PAGE_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "object-src 'none'",
].join('; ')

/** What only a page can make use of. */
export const PAGE_HEADERS = {
  'content-security-policy': PAGE_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
}

/** Safe defaults for every answer; pages loosen the policy for themselves. */
export function safeHeaders(publicUrl: string | null) {
  const https = publicUrl?.startsWith('https:')
  const headers = {
    ...COMMON,
    'content-security-policy': INERT,
    ...(https ? { 'strict-transport-security': HSTS } : {}),
  }
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    reply.headers(headers).header('x-request-id', request.id)
}
