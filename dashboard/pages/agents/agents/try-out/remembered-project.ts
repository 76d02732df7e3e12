import { useState } from 'react'
import { useSession } from '../../../../api/session.ts'
import { localStore } from '../../../../state/store.ts'

/** The project in which the person tries agents out, in this browser. */
export function useRememberedProject(): [string | null, (id: string) => void] {
  const { user, organization } = useSession()
  const key = `atrium.try-out-project.${user.id}.${organization.id}`
  const [projectId, setProjectId] = useState(() => localStore.read(key))
  const remember = (id: string) => {
    setProjectId(id)
    localStore.write(key, id)
  }
  return [projectId, remember]
}
