import { z } from 'zod'
import { NewPassword, PersonName } from '../../../../contract/accounts/accounts.ts'
import { ApiError } from '../../../errors.ts'

const InvitedUser = z.object({ name: PersonName, password: NewPassword })

/** Parses the fields that only a user without an account sends; the error names the missing and invalid ones. */
export function parseInvitedUser(input: { name?: string; password?: string }) {
  const parsed = InvitedUser.safeParse(input)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(({ path, message }) => ({
    path: `body.${path.join('.')}`,
    message,
  }))
  const [first] = problems
  throw new ApiError('BAD_REQUEST', `${first!.path} ${first!.message}`, { details: problems })
}
