import { useNavigate } from '@tanstack/react-router'
import { useSession } from '../api/session.ts'
import { useCanCreateProjects } from '../api/workspaces.ts'
import { type Command, commandsFor } from './command-list.ts'
import { useSignOut } from './sign-out.ts'

export function useCommands(): Command[] {
  const navigate = useNavigate()
  const signOut = useSignOut()
  const session = useSession()
  const canCreateProjects = useCanCreateProjects()
  return commandsFor(session, { canCreateProjects, navigate, signOut })
}
