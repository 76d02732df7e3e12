import type { FastifyReply, FastifyRequest } from 'fastify'

const COMMON = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
}
/** A browser that displays a non-page runs and loads nothing. */
const INERT = "default-src 'none'; frame-ancestors 'none'; sandbox"
const HSTS = 'max-age=31536000'

const PAGE_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "object-src 'none'",
].join('; ')

export const PAGE_HEADERS = {
  'content-security-policy': PAGE_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(self), payment=(), usb=()',
}

/**
 * For the frame that draws diagrams from untrusted text. It has no origin, even if someone opens it as a page, runs only
 * its own scripts and sends no requests. Its scripts load across origins, because its own origin is none.
 */
export const FRAME_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'unsafe-inline'",
    "frame-ancestors 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    'sandbox allow-scripts',
  ].join('; '),
  'x-frame-options': 'SAMEORIGIN',
  'cross-origin-resource-policy': 'cross-origin',
}

/** Pages override the content security policy. */
export const safeHeaders = (publicUrl: string | null): Record<string, string> => ({
  ...COMMON,
  'content-security-policy': INERT,
  ...(publicUrl?.startsWith('https:') ? { 'strict-transport-security': HSTS } : {}),
})

export const setHeaders =
  (headers: Record<string, string>) =>
  (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    reply.headers(headers).header('x-request-id', request.id)
