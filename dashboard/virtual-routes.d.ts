declare module 'virtual:routes' {
  import type { Routes } from '../client/client.ts'
  import type { Contract } from '../contract/index.ts'

  const routes: Routes<Contract>
  export default routes
}
