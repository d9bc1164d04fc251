//! Checks of media types and of bytes.

use std::str;

use crate::media::{
    error::MediaError,
    kind::{ALIASES, Check, MediaKind, MediaType},
};

impl MediaKind {
    /// Returns the media type with the given name. Case and parameters are ignored.
    pub(super) fn find_type(self, name: &str) -> Result<&'static str, MediaError> {
        let plain = name.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let alias = ALIASES.iter().find(|(alias, _)| *alias == plain);
        let plain = alias.map_or(&*plain, |(_, media_type)| media_type);
        let unknown = || MediaError::unsupported_type(self, name);
        self.media_types().find(|known| *known == plain).ok_or_else(unknown)
    }

    /// Like [`find_type`](Self::find_type), but also accepts the type of an address that does not show it.
    pub(super) fn find_url_type(self, name: &str) -> Result<&'static str, MediaError> {
        let default = self.default_type();
        if name == default { Ok(default) } else { self.find_type(name) }
    }

    /// Returns the media type of a file name's ending, if it is known.
    pub(super) fn type_of_ending(self, ending: &str) -> Option<&'static str> {
        let has_ending =
            |known: &&MediaType| known.endings.iter().any(|e| e.eq_ignore_ascii_case(ending));
        let known = self.types().iter().find(has_ending);
        known.map(|known| known.name)
    }

    /// Checks the size and the contents of bytes. Without a media type, returns the type of their signature.
    pub(super) fn check(
        self,
        media_type: Option<&str>,
        bytes: &[u8],
    ) -> Result<&'static str, MediaError> {
        self.check_size(bytes.len())?;
        let stated = media_type.map(|name| self.find_type(name)).transpose()?;
        let Some(stated) = stated else {
            let unknown = MediaError::UnknownSignature { kind: self };
            return self.type_of_signature(bytes).ok_or(unknown);
        };
        let known = self.types().iter().find(|known| known.name == stated);
        match known.map(|known| &known.check) {
            Some(Check::Signature(matches)) if !matches(bytes) => {
                let found = self.type_of_signature(bytes);
                Err(MediaError::WrongSignature { media_type: stated, found })
            }
            Some(Check::Text) => match str::from_utf8(bytes) {
                Ok(_) => Ok(stated),
                Err(error) => {
                    Err(MediaError::NotUtf8 { media_type: stated, offset: error.valid_up_to() })
                }
            },
            _ => Ok(stated),
        }
    }

    /// Checks the number of bytes.
    pub(super) const fn check_size(self, bytes: usize) -> Result<(), MediaError> {
        let (kind, max) = (self, self.max_bytes());
        match bytes {
            0 => Err(MediaError::Empty { kind }),
            _ if bytes > max => Err(MediaError::TooLarge { kind, bytes, max }),
            _ => Ok(()),
        }
    }

    fn type_of_signature(self, bytes: &[u8]) -> Option<&'static str> {
        let matches = |known: &&MediaType| match known.check {
            Check::Signature(matches) => matches(bytes),
            Check::Text => false,
        };
        self.types().iter().find(matches).map(|known| known.name)
    }
}
