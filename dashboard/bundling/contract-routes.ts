import type { Plugin } from 'vite'
import { routesOf } from '../../client/client.ts'
import { contract } from '../../contract/index.ts'

/** Provides the API's routes as `virtual:routes`, so that the bundle does not contain the schemas. */
export function contractRoutes(): Plugin {
  const name = 'virtual:routes'
  const resolved = `\0${name}`
  return {
    name: 'atrium:contract-routes',
    resolveId: (id) => (id === name ? resolved : undefined),
    load: (id) => (id === resolved ? `export default ${JSON.stringify(routesOf(contract))}` : undefined),
  }
}
