import { type CarrierRequest, errorReply, type Reply, type State } from './state.ts'

/** `lose-request`: dropped before it's carried out. `lose-response`: after. */
export type Fault = 'lose-request' | 'lose-response' | { status: number; code?: number; message?: string }

export interface Failure {
  on: string
  fault: Fault
}

export function takeFault(state: State, { method, path }: CarrierRequest): Fault | null {
  const at = state.failures.findIndex(({ on }) => `${method} ${path}`.startsWith(on))
  return at === -1 ? null : state.failures.splice(at, 1)[0]!.fault
}

export const faultReply = ({
  status,
  code = 20500,
  message = 'An internal server error has occurred',
}: Exclude<Fault, string>): Reply => errorReply(status, code, message)
