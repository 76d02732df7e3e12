import { useEffect, useState } from 'react'
import { useSession } from '../../api/session.ts'
import { localStore } from '../../state/store.ts'

export interface Target {
  projectId?: string
  agentId?: string
}

/** Defaults to the last project and agent used in this browser. */
export function useTarget(initial: Target) {
  const key = useTargetKey()
  const [target, setTarget] = useState<Target>(() => ({ ...read(key), ...initial }))
  return {
    target,
    choose: (change: Target) => {
      const next = { ...target, ...change }
      setTarget(next)
      localStore.write(key, JSON.stringify(next))
    },
  }
}

export function useRememberTarget({
  projectId,
  agentId,
}: { [Key in keyof Target]: Target[Key] | undefined }) {
  const key = useTargetKey()
  useEffect(() => {
    if (projectId)
      localStore.write(key, JSON.stringify({ ...read(key), projectId, ...(agentId && { agentId }) }))
  }, [key, projectId, agentId])
}

function useTargetKey(): string {
  const { user, organization } = useSession()
  return `atrium.chat-target.${user.id}.${organization.id}`
}

function read(key: string): Target {
  try {
    const { projectId, agentId } = JSON.parse(localStore.read(key) ?? '{}')
    return {
      ...(typeof projectId === 'string' && { projectId }),
      ...(typeof agentId === 'string' && { agentId }),
    }
  } catch {
    return {}
  }
}
