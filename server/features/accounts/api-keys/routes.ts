import { apiKeys } from '../../../../contract/accounts/api-keys.ts'
import { handle } from '../../../endpoint/route.ts'
import { createKey, type KeyEnvironment, list, revoke, updateKey } from './keys.ts'

export const apiKeyRoutes = (environment: KeyEnvironment) => [
  handle(apiKeys.list, list),
  handle(apiKeys.create, createKey(environment)),
  handle(apiKeys.update, updateKey),
  handle(apiKeys.revoke, revoke),
]
