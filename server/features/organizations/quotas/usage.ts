import { QUOTAS } from '../../../../contract/quotas.ts'
import type { Context } from '../../../context.ts'
import type { QuotaState } from '../../../quotas/quotas.ts'

export async function listQuotas({ quotas, sql, caller, now }: Context) {
  return { items: (await quotas.list(sql, caller.orgId, now())).map(present) }
}

export function present({ name, ...state }: QuotaState) {
  const { label, unit, description } = QUOTAS[name]
  return { name, label, unit, description, ...state }
}
