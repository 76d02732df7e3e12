import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { agentQuery, modelsQuery } from '../../../api/agents.ts'
import { orgSettingsQuery } from '../../../api/organizations.ts'
import { Name } from '../../name.tsx'

interface ImagesNoteProps {
  agentId: string | undefined
  /** Null for the agent's. */
  model: string | null
}

const IMAGE_NAME = /\.(png|jpe?g|gif|webp|heic|heif|avif|bmp|tiff?|svg)$/i

export const isImageName = (name: string) => IMAGE_NAME.test(name)

/** Without this note, an answer that ignores the image looks like a poor answer. */
export function ImagesNote({ agentId, model }: ImagesNoteProps) {
  const agent = useQuery({ ...agentQuery(agentId ?? ''), enabled: agentId !== undefined }).data
  const models = useQuery(modelsQuery).data
  const settings = useQuery(orgSettingsQuery).data
  if (!agent || !models || !settings || settings.visionModel !== null) return null
  const usedId = model ?? agent.model ?? settings.defaultModel
  const used = models.find(({ id }) => id === usedId)
  if (!used || used.isTest || used.modalities.input.includes('image')) return null
  return (
    <p role="status" className="px-12 pt-8 text-12 text-warning-text">
      <Name>{used.name}</Name> accepts no images and only learns that they are there. Choose another model, or
      a vision model in{' '}
      <Link to="/settings/organization/models" className="underline underline-offset-2">
        Settings → Models
      </Link>
      .
    </p>
  )
}
