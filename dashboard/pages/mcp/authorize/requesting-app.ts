import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { Contract } from '../../../../contract/index.ts'

export type Preview = OutputOf<Contract['connectedApps']['preview']>
export type RequestingApp = Preview['app']
