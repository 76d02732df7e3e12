import { z } from 'zod'
import { NewPassword, PersonName } from '../../../contract/accounts/accounts.ts'
import { ApiError } from '../../errors.ts'

const InvitedUser = z.object({ name: PersonName, password: NewPassword })

/** What only those have to give who get an account by an invitation; named where it is missing. */
export function parseInvitedUser(input: { name?: string; password?: string }) {
  const read = InvitedUser.safeParse(input)
  if (read.success) return read.data
  const problems = read.error.issues.map(({ path, message }) => ({ path: `body.${path.join('.')}`, message }))
  const [first] = problems
  throw new ApiError('BAD_REQUEST', `${first!.path} ${first!.message}`, { details: problems })
}
