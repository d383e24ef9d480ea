module jeroboam.test/peers/gophercloud

go 1.25.0

require github.com/gophercloud/gophercloud/v2 v2.15.0

require gopkg.in/yaml.v2 v2.4.0 // indirect
