import { DEFAULT_URLS, type ProviderKind } from '../../../../contract/models/providers.ts'
import type { Context } from '../../../context.ts'
import { badField } from '../../../errors.ts'

/** The base URL without trailing slashes. Refuses URLs that are not public. */
export async function validateProviderUrl(
  { outbound }: Pick<Context, 'outbound'>,
  kind: ProviderKind,
  url: string | undefined,
): Promise<string> {
  const baseUrl = url ?? DEFAULT_URLS[kind]
  if (baseUrl === null) throw badField('body.url', 'is required for an OpenAI-compatible provider')
  const problem = await outbound.checkUrl(baseUrl)
  if (problem) throw badField('body.url', problem)
  const { search, hash, href } = new URL(baseUrl)
  if (search || hash) throw badField('body.url', 'must not have a query or a fragment')
  return href.replace(/\/+$/, '')
}
