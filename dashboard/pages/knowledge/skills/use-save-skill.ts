import { useMutation } from '@tanstack/react-query'
import { t } from '../../../../contract/text.ts'
import { ifMatchVersion } from '../../../api/agents.ts'
import { refreshSkills, type Skill, skillApi } from '../../../api/skills.ts'
import { toast } from '../../../components/toast.tsx'

type Change = Omit<Parameters<typeof skillApi.skills.update>[0], 'id'>

/** Saves against the version the user sees. The server rejects it if there's a newer one. */
export const useSaveSkill = ({ id, version }: Skill, onSaved: (change: Change) => void = () => {}) =>
  useMutation({
    mutationFn: (change: Change) => skillApi.skills.update({ id, ...change }, ifMatchVersion(version)),
    onSuccess: async (_skill, change) => {
      toast(t`Saved`)
      onSaved(change)
      await refreshSkills()
    },
  })
