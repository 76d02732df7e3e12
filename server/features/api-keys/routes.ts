import { apiKeys } from '../../../contract/api-keys.ts'
import { handle } from '../../route.ts'
import { createKey, list, revoke } from './api-keys.ts'

export const apiKeyRoutes = (environment: 'live' | 'test') => [
  handle(apiKeys.list, list),
  handle(apiKeys.create, createKey(environment)),
  handle(apiKeys.revoke, revoke),
]
