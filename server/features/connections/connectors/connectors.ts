import { connectors as contract } from '../../../../contract/connections/connectors.ts'
import { customConnectors as customContract } from '../../../../contract/connections/custom-connectors.ts'
import type { ConnectorsConfig } from '../../../config/connectors.ts'
import { handle } from '../../../endpoint/route.ts'
import type { Feature } from '../../../feature.ts'
import { builtIn } from './catalog/catalog.ts'
import { removeClient, setClient } from './clients/set-client.ts'
import * as custom from './custom/manage.ts'
import { importOpenapi, readOpenapi } from './custom/openapi/import.ts'
import { checkDefinitions } from './definition/check-definition.ts'
import { getConnector, listConnectors } from './list.ts'

export { findClient, findClientFor, type OAuthClientSecrets } from './clients/client.ts'
export type { OAuth } from './definition/auth.ts'
export type { ConnectorDefinition, ConnectorTool } from './definition/definition.ts'
export type {
  NormalizedEvent,
  Proof,
  ReceiverDefinition,
  RegisteredEndpoint,
  Registration,
} from './definition/receiver.ts'
export { isKeyed, type RequestTemplate } from './definition/request-template.ts'
export { validateFields } from './definition/validated-fields.ts'
export { findDefinition, findDefinitions, isBuiltIn, listExistingSlugs } from './find-definition.ts'
export { hasOwnRedirect, redirectUriOf } from './records.ts'
export { plainPart } from './requests/build-request.ts'
export { type CallRecord, type CallResult, callTool } from './requests/call-tool.ts'
export type { Failure } from './requests/failure.ts'
export { retryAfterMs } from './requests/retry-after.ts'
export { type Exchange, sendRequest } from './requests/send-request.ts'
export { type ConnectionTarget, replaceOrigin } from './requests/target.ts'
export { fillText, plainText, valueAt } from './requests/template.ts'

/** The services that connections can be made to, and the OAuth clients of organizations at them. */
export function connectors(config: ConnectorsConfig): Feature {
  checkDefinitions(builtIn)
  return {
    routes: [
      handle(contract.list, listConnectors(config)),
      handle(contract.get, getConnector(config)),
      handle(contract.setClient, setClient(config)),
      handle(contract.removeClient, removeClient(config)),
      handle(customContract.list, custom.list),
      handle(customContract.create, custom.create),
      handle(customContract.get, custom.get),
      handle(customContract.update, custom.update),
      handle(customContract.remove, custom.remove),
      handle(customContract.readOpenapi, readOpenapi),
      handle(customContract.importOpenapi, importOpenapi),
    ],
  }
}
