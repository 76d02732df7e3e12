import { accounts } from '../../../contract/accounts.ts'
import { handle } from '../../route.ts'
import { readSession, signOut } from './sessions.ts'
import { readSetupState, setUp } from './setup.ts'
import { signIn, stepUp } from './sign-in.ts'

export const accountRoutes = [
  handle(accounts.setupState, readSetupState),
  handle(accounts.setup, setUp),
  handle(accounts.signIn, signIn),
  handle(accounts.signOut, signOut),
  handle(accounts.session, readSession),
  handle(accounts.stepUp, stepUp),
]
