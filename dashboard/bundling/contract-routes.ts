import type { Plugin } from 'vite'
import { routesOf } from '../../client/client.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { contract } from '../../contract/index.ts'

/** Other programs call the authorization server, providers send events, and browsers open redirects as pages. */
const { authorizationServer: _, ...rest } = contract
const isCalled = ({ redirects, bytes }: Endpoint) => !redirects && bytes !== 'reply'
const called = Object.fromEntries(
  Object.entries(rest).map(([group, members]) => [
    group,
    Object.fromEntries(Object.entries<Endpoint>(members).filter(([, endpoint]) => isCalled(endpoint))),
  ]),
)

/** Provides the API's routes as `virtual:routes`, so that the bundle does not contain the schemas. */
export function contractRoutes(): Plugin {
  const name = 'virtual:routes'
  const resolved = `\0${name}`
  return {
    name: 'atrium:contract-routes',
    resolveId: (id) => (id === name ? resolved : undefined),
    load: (id) => (id === resolved ? `export default ${JSON.stringify(routesOf(called))}` : undefined),
  }
}
