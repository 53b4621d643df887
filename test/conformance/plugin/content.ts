import { ServiceError } from '@service-mcp/core';
import { PNG, say, tool, WAV } from './declare.js';

/** Tools that speak in each kind of content. */
export const contentTools = [
  tool('test_simple_text', 'Says one text.', async () => say('This is a simple text response for testing.')),
  tool('test_image_content', 'Shows an image.', async () =>
    say('An image.', { type: 'image', data: PNG, mimeType: 'image/png' }),
  ),
  tool('test_audio_content', 'Plays a sound.', async () =>
    say('A sound.', { type: 'audio', data: WAV, mimeType: 'audio/wav' }),
  ),
  tool('test_embedded_resource', 'Holds a resource.', async () =>
    say('A resource.', {
      type: 'resource',
      resource: {
        uri: 'test://embedded-resource',
        mimeType: 'text/plain',
        text: 'This is an embedded resource content.',
      },
    }),
  ),
  tool('test_multiple_content_types', 'Says a text, shows an image and holds a resource.', async () =>
    say(
      'Multiple content types test:',
      { type: 'image', data: PNG, mimeType: 'image/png' },
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: JSON.stringify({ test: 'data', value: 123 }),
        },
      },
    ),
  ),
  tool('test_error_handling', 'Always fails.', async () => {
    throw new ServiceError('CONFLICT', 'This tool intentionally returns an error for testing');
  }),
];
