import type { Access, Limit } from '../../../contract/endpoint.ts'

/** The access of an endpoint as a sentence. */
export function accessOf(access: Access): string {
  if (access.kind === 'signature') return 'Signed URL or signature; no other credential'
  if (access.kind === 'public') return 'Public; no credential required'
  if (access.kind === 'member') {
    if (access.share) return `API key or browser session; guests of a share link with ${access.share} access`
    const ordinary = access.scope
      ? `API key with the [scope](#scopes) \`${access.scope}\`, or browser session`
      : 'API key or browser session'
    return access.steppedUpIf
      ? `${ordinary}; \`${access.steppedUpIf.query}=true\` requires a browser session with [step-up](#credentials)`
      : ordinary
  }
  if (access.kind === 'browser') {
    return access.operator
      ? 'Operator in a browser session; API keys are refused'
      : 'Browser session; API keys are refused'
  }
  if (access.operator) return 'Operator in a browser session with [step-up](#credentials)'
  return access.orSelf
    ? 'Browser session with [step-up](#credentials), or the API key itself'
    : 'Browser session with [step-up](#credentials); API keys are refused'
}

/** A rate limit as a sentence. */
export function limitOf({ capacity, perSeconds, by, refusal }: Limit): string {
  const rate = `${capacity.toLocaleString('en-US')} calls per ${duration(perSeconds)}, per ${SUBJECTS[by]}`
  return refusal ? `${rate}; then \`${refusal}\`` : rate
}

function duration(seconds: number): string {
  const [amount, unit] = seconds % 60 === 0 ? [seconds / 60, 'minute'] : [seconds, 'second']
  return amount === 1 ? unit : `${amount} ${unit}s`
}

const SUBJECTS = {
  caller: 'user',
  ip: 'IP address',
  'caller and ip': 'user and IP address',
} satisfies Record<Limit['by'], string>
