import { t } from '../../../../contract/text.ts'
import type { Usage } from '../../../api/usage.ts'
import { formatTokens } from '../../../components/amounts.ts'

type Tokens = Pick<Usage['total'], 'inputTokens' | 'outputTokens' | 'cacheReadTokens' | 'cacheWriteTokens'>

export function describeTokens({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: Tokens) {
  const total = t`${formatTokens(inputTokens)} in, ${formatTokens(outputTokens)} out`
  return [
    total,
    cacheReadTokens > 0 && t`${formatTokens(cacheReadTokens)} read from cache`,
    cacheWriteTokens > 0 && t`${formatTokens(cacheWriteTokens)} written to cache`,
  ]
    .filter(Boolean)
    .join(' · ')
}
