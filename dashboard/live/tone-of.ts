import { hueOf } from '../components/faces.tsx'
import { type Participant, TONES, type Tone } from './presence.ts'

/** The hue of the user's face, the same on every screen. */
export const toneOf = ({ userId, client }: Pick<Participant, 'userId' | 'client'>): Tone =>
  TONES[hueOf(userId ?? client) - 1]!

/** A guest has no user, only a browser tab. */
export const faceOf = ({ userId, client, name }: Pick<Participant, 'userId' | 'client' | 'name'>) => ({
  id: userId ?? client,
  name,
})
