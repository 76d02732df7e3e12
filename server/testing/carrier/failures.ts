import { type CarrierRequest, errorReply, type Reply, type State } from './state.ts'

/**
 * The failure of a request. `lose-request`: the connection ends before it is carried out;
 * `lose-response`: after it.
 */
export type Fault = 'lose-request' | 'lose-response' | { status: number; code?: number; message?: string }

export interface Failure {
  /** The beginning of the method and the path, such as `POST Calls.json`. */
  on: string
  fault: Fault
}

/** Removes and returns the fault of a request. */
export function takeFault(state: State, { method, path }: CarrierRequest): Fault | null {
  const at = state.failures.findIndex(({ on }) => `${method} ${path}`.startsWith(on))
  return at === -1 ? null : state.failures.splice(at, 1)[0]!.fault
}

export const faultReply = ({
  status,
  code = 20500,
  message = 'An internal server error has occurred',
}: Exclude<Fault, string>): Reply => errorReply(status, code, message)
