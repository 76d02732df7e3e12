import { accounts } from './accounts.ts'
import { apiKeys } from './api-keys.ts'
import type { Endpoint } from './endpoint.ts'
import { feedback } from './feedback.ts'
import { operations } from './operations.ts'

/** The whole API, by noun. */
export const contract = { accounts, apiKeys, feedback, operations }

export type Contract = typeof contract

export const endpoints: Endpoint[] = Object.values(contract).flatMap((group) => Object.values(group))
