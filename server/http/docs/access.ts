import type { Access, Limit } from '../../../contract/endpoint.ts'

/** Who may call, in words. */
export function accessOf(access: Access): string {
  if (access.kind === 'signature') return 'Whoever holds the signed address'
  if (access.kind === 'public') return 'Anybody, without a credential'
  if (access.kind === 'member') {
    if (access.share) return `API key or browser session; a guest whose share link allows to ${access.share}`
    const ordinary = access.scope
      ? `API key with the [scope](#scopes) \`${access.scope}\`, or browser session`
      : 'API key or browser session'
    return access.steppedUpIf
      ? `${ordinary}; with \`${access.steppedUpIf.query}=true\` a browser session with [step-up](#credentials) only`
      : ordinary
  }
  if (access.kind === 'browser') {
    return access.operator
      ? 'Platform admin in a browser session; API keys are refused'
      : 'Browser session; API keys are refused'
  }
  return access.orSelf
    ? 'Browser session with [step-up](#credentials), or the API key itself'
    : 'Browser session with [step-up](#credentials); API keys are refused'
}

/** How often, in words. */
export function limitOf({ capacity, perSeconds, by, refusal }: Limit): string {
  const rate = `${capacity.toLocaleString('en-US')} calls every ${duration(perSeconds)} per ${by}`
  return refusal ? `${rate}; beyond that \`${refusal}\`` : rate
}

function duration(seconds: number): string {
  const [amount, unit] = seconds % 60 === 0 ? [seconds / 60, 'minute'] : [seconds, 'second']
  return amount === 1 ? unit : `${amount} ${unit}s`
}
