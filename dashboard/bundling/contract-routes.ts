import type { Plugin } from 'vite'
import { routesOf } from '../../client/client.ts'
import { contract } from '../../contract/index.ts'

/** Offers the API's routes as `virtual:routes`, so that the browser never downloads the schemas behind them. */
export function contractRoutes(): Plugin {
  const name = 'virtual:routes'
  const resolved = `\0${name}`
  return {
    name: 'atrium:contract-routes',
    resolveId: (id) => (id === name ? resolved : undefined),
    load: (id) => (id === resolved ? `export default ${JSON.stringify(routesOf(contract))}` : undefined),
  }
}
