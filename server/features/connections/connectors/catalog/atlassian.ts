import type { OAuth } from '../definition/auth.ts'
import type { ConnectorDefinition } from '../definition/definition.ts'
import type { Field } from '../definition/field.ts'
import { itemsAt, textAt } from '../definition/payload.ts'

const SITE: Field = {
  key: 'site',
  label: 'Site',
  required: false,
  hint: 'The name before .atlassian.net, if the account has several sites',
  pattern: '[A-Za-z0-9][A-Za-z0-9-]{0,62}',
  placeholder: 'acme',
}

/** How a product of Atlassian Cloud is connected: one authorization for all sites, of which one is chosen. */
export const atlassian = (
  product: 'Jira' | 'Confluence',
  scopes: OAuth['scopes'],
): Pick<ConnectorDefinition, 'config' | 'auth' | 'discover'> => ({
  config: [SITE],
  auth: {
    type: 'oauth',
    authorizeUrl: 'https://auth.atlassian.com/authorize',
    tokenUrl: 'https://auth.atlassian.com/oauth/token',
    registerUrl: 'https://developer.atlassian.com/console/myapps/',
    scopes: { ...scopes, default: [...scopes.default, 'offline_access'] },
    tokenBody: 'json',
    params: { authorize: { audience: 'api.atlassian.com', prompt: 'consent' } },
    lifetime: { access: 3600, refresh: 'rotates', idleDays: 90, reuseSeconds: 600 },
  },
  discover: {
    request: { method: 'GET', path: 'https://api.atlassian.com/oauth/token/accessible-resources' },
    keep: (answer, { site }) => siteOf(product, answer, site),
  },
})

function siteOf(product: string, answer: unknown, site: string | undefined): Record<string, string> {
  const sites = (Array.isArray(answer) ? answer : []).filter((each) =>
    itemsAt(each, 'scopes').some((scope) => String(scope).includes(product.toLowerCase())),
  )
  const url = `https://${site?.toLowerCase()}.atlassian.net`
  const chosenSite = site ? sites.find((each) => textAt(each, 'url')?.toLowerCase() === url) : sites[0]
  const cloudId = textAt(chosenSite, 'id')
  if (cloudId === null)
    throw new Error(site ? `The account has no access to ${url}` : `The account has no site with ${product}`)
  return { cloudId, siteUrl: textAt(chosenSite, 'url') ?? '' }
}
