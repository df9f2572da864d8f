import LocatorProperties
import Testing

@Suite("A key is secret by a whole word in it")
struct SecretWordsTests {
    @Test(
        "Secret keys",
        arguments: [
            "password", "Password", "PASSWORD", "dbPassword", "db_password", "db-password", "passwordHash", "passwords",
            "passwd", "passphrase", "secret", "clientSecret", "secrets", "token", "authToken", "AUTH_TOKEN", "token2",
            "accessTokens", "credential", "credentials", "apiKey", "api_key", "api-key", "APIKey", "apikey", "apiKeys",
            "privateKey", "PRIVATE_KEY", "accessKey", "signingKey", "encryptionKey", "stripeApiKeyLive",
        ])
    func key_isSecret(key: String) {
        #expect(SecretWords.isSecret(key))
    }

    @Test(
        "Keys that are none",
        arguments: [
            "tokenizer", "tokenizerPath", "secretary", "passwordless", "keyPath", "key", "primaryKey", "publicKey",
            "foreignKey", "keyApi", "apiUrl", "private", "privateAndKey", "credentialing", "", "user", "compass",
        ])
    func key_isNotSecret(key: String) {
        #expect(!SecretWords.isSecret(key))
    }
}

@Suite("A password within a URL is masked wherever the URL is printed")
struct RedactionTests {
    @Test(
        "Masked",
        arguments: [
            ("postgres://shop:pw@db.local:5432/orders", "postgres://shop:<secret>@db.local:5432/orders"),
            ("https://:pw@host", "https://:<secret>@host"),
            ("https://user:p@ss:w@host/x", "https://user:<secret>@host/x"),
            ("see https://a:b@c/d and ftp://e:f@g", "see https://a:<secret>@c/d and ftp://e:<secret>@g"),
            ("https://h/p?token=abc&page=2", "https://h/p?token=<secret>&page=2"),
            ("https://h/p?page=2&api_key=abc#top", "https://h/p?page=2&api_key=<secret>#top"),
            ("https://a:b@h/p?password=x y", "https://a:<secret>@h/p?password=<secret> y"),
        ])
    func masked(text: String, expected: String) {
        #expect(Redaction.maskingURLs(in: text) == expected)
    }

    @Test(
        "Left as it is",
        arguments: [
            "", "plain", "a:b@c", "https://host/path", "https://host:8080/a@b", "https://user@host",
            "https://user:@host",
            "https://h/?tokenizer=x", "https://h/?token=", "mailto:a@b", "http://[::1]:80/", "://",
        ])
    func leftAsItIs(text: String) {
        #expect(Redaction.maskingURLs(in: text) == text)
    }
}
