import { z } from 'zod'
import { QUOTA_MAX, QUOTA_NAMES, QUOTAS, type QuotaName } from '../../contract/quotas.ts'

/** `ATRIUM_QUOTA_PROJECTS` and so on: the default limit of each quota. */
const variableOf = <N extends QuotaName>(name: N) =>
  `ATRIUM_QUOTA_${name.toUpperCase()}` as `ATRIUM_QUOTA_${Uppercase<N>}`

const RULE = `must be a whole number from 0 to ${QUOTA_MAX}`
const limit = z.coerce.number({ error: RULE }).int(RULE).min(0, RULE).max(QUOTA_MAX, RULE).optional()

type Variables = Record<`ATRIUM_QUOTA_${Uppercase<QuotaName>}`, typeof limit>

export const quotaVariables = Object.fromEntries(
  QUOTA_NAMES.map((name) => [variableOf(name), limit]),
) as Variables

export const quotaLimitsOf = (env: Partial<Record<keyof Variables, number | undefined>>) =>
  Object.fromEntries(
    QUOTA_NAMES.map((name) => [name, env[variableOf(name)] ?? QUOTAS[name].default]),
  ) as Record<QuotaName, number>
