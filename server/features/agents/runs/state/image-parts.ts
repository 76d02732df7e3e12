import type { ImageRef } from '../../../files/files/files.ts'
import type { MessagePart } from '../../conversations/conversations.ts'

/** In messages as stored: they name a file's version. */
export type ImagePart = ImageRef & { type: 'image'; width?: number; height?: number } & MessagePart

export const isImagePart = (part: { type: string }): part is ImagePart =>
  part.type === 'image' && 'fileId' in part && 'version' in part

/** Of a tool's result. */
export const imagesOf = (part: MessagePart): readonly ImagePart[] =>
  part.type === 'tool-result' && Array.isArray(part.images) ? (part.images as ImagePart[]) : []

export const imageKey = ({ fileId, version, page = 0 }: ImageRef): string => `${fileId} ${version} ${page}`
