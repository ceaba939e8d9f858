/** The image types that the store accepts, for file inputs. */
export const IMAGE_TYPES = 'image/jpeg,image/png,image/gif,image/webp,image/avif';
